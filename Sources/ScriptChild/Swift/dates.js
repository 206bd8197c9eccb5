// Dates as texts and texts as dates: formats in English, as ICU reads and writes them.

const monthNames = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
$.dateFormatter = () => ({ dateFormat: "", timeZone: new Zone(0), locale: $.locale("en_US_POSIX"), calendar: null, isLenient: false });
// The fields of a format: what stands for itself, and letters with their count.
function fields(format) {
  const found = [], pattern = /'((?:[^']|'')*)(?:'|$)|([A-Za-z])\2*|[^A-Za-z']+/g;
  for (let match = pattern.exec(format); match !== null; match = pattern.exec(format)) {
    if (match[2] === undefined) found.push({ text: match[1] === undefined ? match[0] : match[1] === "" ? "'" : match[1].replace(/''/g, "'") });
    else found.push({ letter: match[2], count: match[0].length });
  }
  return found;
}
function checkFormatter(formatter) {
  if (!["en", "en_US", "en_US_POSIX", "en_GB"].includes(formatter.locale.identifier.replace("-", "_"))) trap("Formats of dates of other languages than English are not known here");
}
const GREGORIAN_BEGIN = -141427;
// The Julian calendar before 15 October 1582, as ICU has it.
function historic(count) {
  if (count >= GREGORIAN_BEGIN) return civil(count);
  const z = count + 719470, cycle = Math.floor(z / 1461), dayOfCycle = z - cycle * 1461, yearOfCycle = Math.floor((dayOfCycle - Math.floor(dayOfCycle / 1460)) / 365);
  const shifted = Math.floor((5 * (dayOfCycle - 365 * yearOfCycle) + 2) / 153), month = shifted < 10 ? shifted + 3 : shifted - 9;
  return [cycle * 4 + yearOfCycle + (month <= 2 ? 1 : 0), month, dayOfCycle - 365 * yearOfCycle - Math.floor((153 * shifted + 2) / 5) + 1];
}
function historicDays(year, month, day) {
  const count = days(year, month, day);
  if (count >= GREGORIAN_BEGIN) return count;
  const y = month <= 2 ? year - 1 : year, cycle = Math.floor(y / 4);
  return cycle * 1461 + (y - cycle * 4) * 365 + Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1 - 719470;
}
// To the nearest millisecond.
function shownParts(date, offset) {
  const milliseconds = Math.floor((date.time + REFERENCE) * 1000 + 0.5), local = Math.floor(milliseconds / 1000) + offset, dayNumber = Math.floor(local / 86400);
  const [year, month, day] = historic(dayNumber), rest = local - dayNumber * 86400;
  return {
    year, month, day, dayNumber, hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60,
    millisecond: milliseconds - Math.floor(milliseconds / 1000) * 1000, weekday: ((dayNumber + 4) % 7 + 7) % 7,
    yearOfEra: year > 0 ? year : 1 - year,
  };
}
function namedField(names, index, count) {
  const name = names[index];
  return count === 4 ? name : count === 5 ? name[0] : count === 6 ? name.substring(0, 2) : name.substring(0, 3);
}
function shownField(letter, count, p, formatter) {
  const padded = number => (number < 0 ? "-" : "") + String(Math.abs(number)).padStart(count, "0");
  const half = p.hour < 12 ? "AM" : "PM";
  switch (letter) {
    case "y": return count === 2 ? two(p.yearOfEra % 100) : padded(p.yearOfEra);
    case "u": return padded(p.year);
    case "M": case "L": return count >= 3 ? namedField(monthNames, p.month - 1, count) : padded(p.month);
    case "d": return padded(p.day);
    case "D": return padded(p.dayNumber - historicDays(p.year, 1, 1) + 1);
    case "E": return namedField(dayNames, p.weekday, count);
    case "e": case "c": return count >= 3 ? namedField(dayNames, p.weekday, count) : unknownField(letter, count);
    case "a": return count === 5 ? half[0].toLowerCase() : formatter.locale.identifier.endsWith("GB") ? half.toLowerCase() : half;
    case "H": return padded(p.hour);
    case "k": return padded(p.hour === 0 ? 24 : p.hour);
    case "K": return padded(p.hour % 12);
    case "h": return padded(p.hour % 12 === 0 ? 12 : p.hour % 12);
    case "m": return padded(p.minute);
    case "s": return padded(p.second);
    case "S": return String(p.millisecond).padStart(3, "0").substring(0, count).padEnd(count, "0");
    case "A": return padded(((p.hour * 60 + p.minute) * 60 + p.second) * 1000 + p.millisecond);
    case "G": return count === 4 ? (p.year > 0 ? "Anno Domini" : "Before Christ") : (p.year > 0 ? "AD" : "BC").substring(0, count === 5 ? 1 : 2);
    case "Q": case "q": return quarterText(Math.floor((p.month - 1) / 3), count);
    case "Z": case "X": case "x": case "z": case "O": return zoneText(letter, count, zoneOffset(formatter));
    default: return unknownField(letter, count);
  }
}
function unknownField(letter, count) { return trap(`‘${letter.repeat(count)}’ in the format of a date is not understood`); }
function quarterText(index, count) {
  return count === 3 ? "Q" + (index + 1) : count === 4 ? ["1st", "2nd", "3rd", "4th"][index] + " quarter" : String(index + 1).padStart(count === 2 ? 2 : 1, "0");
}
$.formatDate = (formatter, date) => {
  checkFormatter(formatter);
  const p = shownParts(date, zoneOffset(formatter));
  return fields(formatter.dateFormat).map(({ text, letter, count }) => text ?? shownField(letter, count, p, formatter)).join("");
};
// Foundation's formatters know zones to the minute.
function zoneOffset(formatter) { return Math.trunc(formatter.timeZone.offset / 60) * 60; }
function zoneText(letter, count, offset) {
  const sign = offset < 0 ? "-" : "+", hours = Math.floor(Math.abs(offset) / 3600), minutes = Math.abs(offset) / 60 % 60;
  if (letter === "z" && count < 4 || letter === "O" && count === 1) return offset === 0 ? "GMT" : `GMT${sign}${hours}${minutes === 0 ? "" : ":" + two(minutes)}`;
  if ((letter === "Z" || letter === "O") && count === 4) return offset === 0 ? "GMT" : `GMT${sign}${two(hours)}:${two(minutes)}`;
  if (letter === "z" || letter === "O") return unknownField(letter, count);
  if (offset === 0 && (letter === "X" || letter === "Z" && count === 5)) return "Z";
  const colon = count === 5 || count === 3 && letter !== "Z" ? ":" : "";
  return sign + two(hours) + (count === 1 && minutes === 0 && letter !== "Z" ? "" : colon + two(minutes));
}

// MARK: Reading

// A text is read field by field, as ICU does it: leniently in what stands between the fields, strictly in what the fields say.
class DateReading {
  constructor(text, formatter) {
    this.text = text; this.at = 0; this.isLenient = formatter.isLenient;
    this.year = 2000; this.month = 1; this.day = 1; this.dayOfYear = null; this.isBefore = false;
    this.hour = 0; this.half = 0; this.isHalved = false; this.minute = 0; this.second = 0; this.millisecond = 0; this.ofDay = null;
    this.zone = zoneOffset(formatter); this.hasWeekday = false; this.hasDay = false;
  }
  skipSpace() { while (/^[ \t-\r\x85\u2028\u2029]/.test(this.text.substring(this.at))) this.at += 1; }
  // Digits, which may be of any script.
  digits(most, isRun) {
    if (isRun && this.at + most > this.text.length) return null;
    const found = new RegExp(`^\\p{Nd}{1,${most}}`, "u").exec(this.text.substring(this.at));
    if (found === null) return null;
    this.at += found[0].length;
    return Array.from(found[0], $.digitValue).join("");
  }
  // One of some names, the longest of those that fit; its index.
  name(lists) {
    const rest = this.text.substring(this.at).toLowerCase();
    let best = null, length = 0;
    for (const names of lists) names.forEach((name, index) => { if (name.length > length && rest.startsWith(name.toLowerCase())) { best = index; length = name.length; } });
    this.at += length;
    return best;
  }
  literal(text, before) {
    const start = this.at;
    let taken = 0;
    while (taken < text.length && this.at < this.text.length) {
      let hasSpace = false;
      for (; taken < text.length && /\s/.test(text[taken]); taken++) hasSpace = true;
      if (hasSpace) {
        if (!/^\s/.test(this.text.substring(this.at))) return false;
        while (/^\s/.test(this.text.substring(this.at))) this.at += 1;
      }
      if (taken >= text.length || text[taken] !== this.text[this.at]) break;
      taken += 1;
      this.at += 1;
    }
    if (taken > 0) return true;
    if (before === undefined) return this.at === this.text.length;
    this.at = start;
    const passed = "yMdLDEQGqu".includes(before.letter) ? /^[-,./\s]/ : "HhKkmsSA".includes(before.letter) ? /^[-.:\s]/ : /^\s/;
    while (passed.test(this.text.substring(this.at))) this.at += 1;
    return true;
  }
  date() {
    if (!/^ *$/.test(this.text.substring(this.at))) return null;
    if (this.hasWeekday && !this.hasDay) trap("A text with the day of a week and without one of a month can't be read here");
    if (this.isHalved) this.hour = this.hour % 12 + this.half * 12;
    if (!this.isLenient && (this.year < 1 || this.month < 1 || this.month > 12 || this.day < 1 || this.day > monthLength(this.year, this.month) ||
      this.hour > 23 || this.minute > 59 || this.second > 59)) return null;
    const y = this.isBefore ? 1 - this.year : this.year;
    if (this.dayOfYear !== null && (this.dayOfYear < 1 || this.dayOfYear > (isLeap(y) ? 366 : 365))) return null;
    const month = ((this.month - 1) % 12 + 12) % 12 + 1, carried = y + Math.floor((this.month - 1) / 12);
    const count = this.dayOfYear === null ? historicDays(carried, month, this.day) : historicDays(y, 1, 1) + this.dayOfYear - 1;
    const milliseconds = this.ofDay ?? ((this.hour * 60 + this.minute) * 60 + this.second) * 1000 + this.millisecond;
    return new SDate((count * 86400000 + milliseconds - this.zone * 1000) / 1000 - REFERENCE);
  }
}
function isLeap(year) { return year % 4 === 0 && (year <= 1582 || year % 100 !== 0 || year % 400 === 0); }
function monthLength(year, month) { return month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31; }
function isNumeric({ letter, count }) { return "yudDHhKkmsSA".includes(letter) || "MLQq".includes(letter) && count < 3; }
function shortened(names) { return names.map(name => name.substring(0, 3)); }
const offsets = { EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, AKST: -9, AKDT: -8, HST: -10 };
function readZone(reading, letter) {
  const rest = reading.text.substring(reading.at), named = /^(?:GMT|UTC|UT|Z(?![A-Za-z]))/i.exec(rest)?.[0] ?? "";
  const found = /^([+-])(?:(\d{1,2}):(\d{2})(?::(\d{2}))?|(\d{2})(\d{2})(\d{2})|(\d{1,2}?)(\d{2})?(?!\d))/.exec(named.toUpperCase() === "Z" ? "" : rest.substring(named.length));
  if (found !== null) {
    const [hours, minutes, seconds] = [found[2] ?? found[5] ?? found[8], found[3] ?? found[6] ?? found[9] ?? 0, found[4] ?? found[7] ?? 0].map(Number);
    if (hours > 23 || minutes > 59) return false;
    reading.zone = (found[1] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
    reading.at += named.length + found[0].length;
    return true;
  }
  const name = /^[A-Za-z]*/.exec(rest)[0].toUpperCase();
  if (named === "" && (letter !== "z" || offsets[name] === undefined)) return false;
  reading.zone = named === "" ? offsets[name] * 3600 : 0;
  reading.at += named === "" ? name.length : named.length;
  return true;
}
// Reads one field; of a run of numbers no more digits than the format says.
function readField(reading, letter, count, isRun) {
  reading.skipSpace();
  if (isNumeric({ letter, count })) {
    const found = reading.digits(isRun ? count : 30, isRun);
    return found !== null && setField(reading, letter, count, found);
  }
  switch (letter) {
    case "M": case "L": {
      const index = reading.name([monthNames, shortened(monthNames)]);
      if (index !== null) reading.month = index + 1;
      return index !== null;
    }
    case "E": case "e": case "c":
      if (letter !== "E" && count < 3) return unknownField(letter, count);
      reading.hasWeekday = true;
      return reading.name([dayNames, shortened(dayNames), dayNames.map(name => name.substring(0, 2))]) !== null;
    case "a": {
      const index = reading.name([["AM", "PM"], ["a", "p"]]);
      if (index === null) return false;
      if (!reading.isHalved) reading.hour = 0;
      reading.half = index; reading.isHalved = true;
      return true;
    }
    case "G": {
      const index = reading.name([["AD", "BC"], ["Anno Domini", "Before Christ"]]);
      reading.isBefore = index === 1;
      return index !== null;
    }
    case "Z": case "X": case "x": case "z": case "O": return readZone(reading, letter);
    default: return unknownField(letter, count);
  }
}
function setField(reading, letter, count, digits) {
  const number = Number(digits);
  switch (letter) {
    case "y": reading.year = count < 3 && digits.length === 2 ? number + (number < 50 ? 2000 : 1900) : number; return true;
    case "M": case "L": reading.month = number; return true;
    case "Q": case "q": reading.month = (number - 1) * 3 + 1; return number <= 4;
    case "d": reading.day = number; reading.hasDay = true; return true;
    case "D": reading.dayOfYear = number; reading.hasDay = true; return true;
    case "H": reading.hour = number; reading.isHalved = false; return true;
    case "k": reading.hour = number === 24 ? 0 : number; reading.isHalved = false; return true;
    case "h": reading.hour = number === 12 ? 0 : number; reading.isHalved = true; return number <= 12;
    case "K": reading.hour = number; reading.isHalved = true; return number < 12;
    case "m": reading.minute = number; return true;
    case "s": reading.second = number; return true;
    case "S": reading.millisecond = Number(digits.padEnd(3, "0").substring(0, 3)); return true;
    case "A": reading.ofDay = number; return true;
    default: return unknownField(letter, count);
  }
}
function readDate(formatter, list, text) {
  const reading = new DateReading(text, formatter);
  let run = -1, runStart = 0, passed = 0;
  for (let i = 0; i < list.length; i++) {
    const field = list[i];
    if (field.text !== undefined) {
      run = -1;
      if (!reading.literal(field.text, list[i - 1])) return null;
      continue;
    }
    if (!isNumeric(field)) run = -1;
    else if (run < 0 && list[i + 1] !== undefined && list[i + 1].letter !== undefined && isNumeric(list[i + 1])) { run = i; runStart = reading.at; passed = 0; }
    const count = i === run ? field.count - passed++ : field.count;
    if (count === 0) return null;
    if (readField(reading, field.letter, count, run >= 0)) continue;
    // A run of numbers that does not fit begins again, with a digit less for its first.
    if (run < 0) return null;
    i = run - 1;
    reading.at = runStart;
  }
  return reading.date();
}
$.parseDate = (formatter, text) => {
  checkFormatter(formatter);
  return readDate(formatter, fields(formatter.dateFormat), text);
};

// MARK: ISO 8601

const ISO_FRACTIONS = 2;
$.isoFormatter = () => ({ timeZone: new Zone(0), formatOptions: 1 });
$.isoText = (formatter, date) => {
  const offset = zoneOffset(formatter), p = shownParts(date, offset), minutes = Math.abs(offset) / 60;
  const fraction = (formatter.formatOptions & ISO_FRACTIONS) === 0 ? "" : "." + String(p.millisecond).padStart(3, "0");
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${String(p.yearOfEra).padStart(4, "0")}-${two(p.month)}-${two(p.day)}T${two(p.hour)}:${two(p.minute)}:${two(p.second)}${fraction}${zone}`;
};
// Seconds from Greenwich by the beginning of a text, as Foundation reads it: no heed is taken of what follows. Undefined of none.
function isoZone(text) {
  if (/^z/i.test(text)) return 0;
  const found = /^(?:UTC|GMT|UT)?([+-])(\d\d)(?::?(\d\d))?(?![\d:])/i.exec(text);
  if (found !== null && Number(found[2]) < 24 && Number(found[3] ?? 0) < 60) {
    return (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60);
  }
  if (/^(?:UTC|GMT|UT)?[+-]\d/i.test(text)) return trap("A time zone of another form than +01:00 is not understood in a date");
  return /^(?:UTC|GMT|UT)/i.test(text) ? 0 : undefined;
}
// The date of numbers for its parts from the year to the second, by the fraction of a second and the zone; null of none.
function isoValue(parts, fraction, zone) {
  const reading = new DateReading("", { timeZone: new Zone(0), isLenient: true });
  [reading.year, reading.month, reading.day, reading.hour, reading.minute, reading.second] = parts;
  if (zone === undefined || reading.month < 1 || reading.month > 12 || reading.day < 1 || reading.day > 31) return null;
  reading.millisecond = fraction === undefined ? 0 : Number(fraction.substring(1, 4).padEnd(3, "0"));
  reading.zone = zone;
  return reading.date();
}
const ISO_PARTS = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})T(\d{1,2}):(\d{1,2}):(\d{1,2})(\.\d+)?`;
const isoLine = new RegExp(`^\\s*${ISO_PARTS}\\s*(.*)$`, "s"), isoMember = new RegExp(`^${ISO_PARTS}(.*)$`, "s");
$.isoDate = (formatter, text) => {
  const found = isoLine.exec(text);
  if (found === null || (found[7] !== undefined) !== ((formatter.formatOptions & ISO_FRACTIONS) !== 0)) return null;
  const parts = found.slice(1, 7).map(Number);
  return parts[3] > 24 || parts[4] > 59 || parts[5] > 59 ? null : isoValue(parts, found[7], isoZone(found[8]));
};
// As JSONDecoder reads it: with or without a fraction, and no space anywhere; hours, minutes and seconds may go on past their ends.
$.isoDateInJSON = text => {
  const found = isoMember.exec(text);
  if (found === null) return null;
  if (found[7]?.length > 4) trap("More than three digits of a second are not understood in a date");
  return isoValue(found.slice(1, 7).map(Number), found[7], isoZone(found[8]));
};
