// Scripts that are held to `independent`: a callback looks at nothing but the two objects that it is given, and at the old realm.
//
// Such a script may run over row groups side by side, each share in a world of its own. An operation that would show there, or come out
// otherwise, ends the run, even where the script catches the error.

let isIndependent = false;
// Whether a callback is running.
let isInCallback = false;
// The class and the key of the new object that it was given.
let handInfo = null, handKey = 0;
// The error that the run ends with, once there is one.
const endings = new Items();
// The first refusal.
let refusal = null;

function endWith(error) { if (endings.length === 0) endings[0] = error; }

function refuseDependence(what) {
  refusal ??= new SafeError(`The migration declares \`independent\`, which the script is not: ${what}.`);
  endWith(refusal);
  throw refusal;
}

function mayEnumerate() {
  if (endings.length > 0) throw endings[0];
  if (isInCallback) refuseDependence("it enumerates objects inside of a callback");
}

function takeInHand(info, key) {
  handInfo = info;
  handKey = key;
}

// The callback of an enumeration that begins, with its new object in hand.
function beginHolding(callback) {
  native.enumerating(1);
  return (oldObject, newObject) => {
    if (newObject !== null) RealmObject.takeInHand(newObject);
    isInCallback = true;
    try {
      const result = callback(oldObject, newObject);
      if (endings.length > 0) throw endings[0];
      return result;
    } catch (error) {
      throw endings.length > 0 ? endings[0] : error;
    } finally {
      isInCallback = false;
      if (newObject !== null) RealmObject.letGo(newObject);
    }
  };
}

function endHolding() {
  takeInHand(null, 0);
  native.enumerating(0);
}
