// Spans of a calendar: the day, the month, the hour that a date is in.

const spanNames = ["year", "month", "day", "hour", "minute", "second"];
function spanParts(calendar, date, unit) {
  const index = spanNames.indexOf(unit), p = parts(date, calendar.timeZone.offset);
  if (index < 0) trap("Spans of this kind are not known here");
  return spanNames.slice(0, index + 1).map(name => p[name]);
}
$.spanStart = (calendar, unit, date) => {
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = spanParts(calendar, date, unit);
  return dated(year, month, day, hour, minute, second, calendar.timeZone.offset);
};
$.spanEnd = (calendar, unit, date) => $.addComponent(calendar, unit, 1, $.spanStart(calendar, unit, date));
// By the spans that two dates are in.
$.compareSpans = (calendar, a, b, unit) => {
  const left = $.spanStart(calendar, unit, a).time, right = $.spanStart(calendar, unit, b).time;
  return left < right ? -1 : left > right ? 1 : 0;
};
$.isWeekend = (calendar, date) => [1, 7].includes($.component(calendar, "weekday", date));
// The numbers that a smaller unit has in the span of a larger one.
$.unitRange = (calendar, smaller, larger, date) => {
  const start = $.spanStart(calendar, larger, date);
  if (smaller === "day" && (larger === "month" || larger === "year")) {
    return [1, Math.round(($.spanEnd(calendar, larger, date).time - start.time) / 86400) + 1];
  }
  const known = { "month year": [1, 13], "hour day": [0, 24], "minute hour": [0, 60], "second minute": [0, 60] }[smaller + " " + larger];
  return known ?? trap("The numbers of this unit are not known here");
};
