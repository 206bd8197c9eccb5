extension Prelude {
    /// Where the objects of a row group stand by their keys.
    static let keys = #"""
        const UNKNOWN = 0, SEARCHED = 1, CONSECUTIVE = 2, BLOCKS = 3;

        // Where a key stands among ascending keys, or −1.
        function placeOfKey(keys, key) {
          let low = 0, high = keys.length - 1;
          while (low <= high) {
            const middle = (low + high) >> 1;
            if (keys[middle] < key) low = middle + 1;
            else if (keys[middle] > key) high = middle - 1;
            else return middle;
          }
          return -1;
        }

        // The how-manieth object of its class a key was given to, where the class has no primary key: Realm leaves the
        // second byte of such keys at zero.
        function sequenceOf(key) { return floor(key / 65536) * 256 + (key & 255); }

        // Ascending keys; those that were given away one after the other need no search.
        class KeyPlaces {
          constructor(keys) {
            this.keys = keys;
            this.first = keys[0];
            this.last = keys[keys.length - 1];
            this.layout = UNKNOWN;
            this.base = 0;
          }

          // The place of a key, or −1.
          place(key) {
            if (key < this.first || key > this.last) return -1;
            if (this.layout === UNKNOWN) this.layout = this.recognise();
            if (this.layout === BLOCKS) return (key & 0xff00) === 0 ? sequenceOf(key) - this.base : -1;
            return this.layout === CONSECUTIVE ? key - this.first : placeOfKey(this.keys, key);
          }

          recognise() {
            const { keys, first, last } = this;
            // Keys beyond what numbers hold are all BigInts.
            if (typeof first !== "number") return SEARCHED;
            if (last - first === keys.length - 1) return CONSECUTIVE;
            const base = this.base = sequenceOf(first);
            for (let i = 0; i < keys.length; i++) {
              const key = keys[i];
              if ((key & 0xff00) !== 0 || sequenceOf(key) - base !== i) return SEARCHED;
            }
            return BLOCKS;
          }

          // Gives the keys back where they can be done without; answers the bytes that are left.
          trim() {
            this.layout = this.recognise();
            if (this.layout === SEARCHED) return this.keys.length * 8;
            this.keys = null;
            return 0;
          }
        }
        """#
}
