// From version 1, where a contact has a name as it was typed, to version 2 with tidy parts of it.
const letters = /[\p{L}\p{M}'-]+/gu;
const address = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/;

const capitalized = word => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

function migrate(migration, oldSchemaVersion) {
  if (oldSchemaVersion < 2) {
    migration.enumerateObjects("Contact", (oldContact, newContact) => {
      const words = (oldContact.name.normalize("NFC").match(letters) ?? []).map(capitalized);
      newContact.initials = words.map(word => word.charAt(0)).join("");
      newContact.lastName = words.pop() ?? "";
      newContact.firstName = words.join(" ");
      newContact.email = oldContact.email.trim().toLowerCase();
      newContact.isComplete = newContact.lastName !== "" && address.test(newContact.email);
    });
  }
}
