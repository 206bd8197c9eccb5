// From version 2, where a user has one full name, to version 3 with two.
function migrate(migration, oldSchemaVersion) {
  if (oldSchemaVersion < 3) {
    migration.enumerateObjects("User", (oldUser, newUser) => {
      const words = oldUser.full.split(" ");
      newUser.lastName = words.pop();
      newUser.firstName = words.join(" ");
    });
  }
}
