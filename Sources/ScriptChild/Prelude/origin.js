// Time and chance: the machine's own, until `api.setOrigin` gives a script those of its source.

let beginning = null, looks = 0, chance = nativeRandom;
const random = () => {
  if (isInCallback) refuseDependence("it asks for chance");
  return chance();
};

// A clock that goes on by a microsecond whenever somebody looks: a run can be repeated, and who waits for a moment comes to it.
const now = () => {
  if (isInCallback) refuseDependence("it asks for the time");
  return beginning === null ? nativeNow() : beginning + floor(looks++ / 1000);
};

// The numbers are one sequence (sfc32, of PractRand), which a repeated run has again.
api.setOrigin = function (time, a, b, c, d) {
  beginning = time;
  let s0 = a | 0, s1 = b | 0, s2 = c | 0, s3 = d | 0;
  function next() {
    const sum = (s0 + s1 | 0) + s3 | 0;
    s3 = s3 + 1 | 0;
    s0 = s1 ^ s1 >>> 9;
    s1 = s2 + (s2 << 3) | 0;
    s2 = s2 << 21 | s2 >>> 11;
    s2 = s2 + sum | 0;
    return sum >>> 0;
  }
  // Until every bit of the state has had to do with every other.
  for (let i = 0; i < 16; i++) next();
  // 53 bits, as many as a number below 1 has.
  chance = () => (next() * 2097152 + (next() >>> 11)) / 9007199254740992;
  if (timePart !== null) timePart.tellTime();
};
