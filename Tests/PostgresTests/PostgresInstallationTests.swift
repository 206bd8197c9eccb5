import Postgres
import Testing

@Suite struct PostgresInstallationTests {
    @Test func `says how to install a server that is missing`() {
        let error = #expect(throws: PostgresError.self) {
            try PostgresInstallation.find(debianRoot: "/nowhere", path: "/nowhere")
        }
        #expect(error?.message.contains("apt-get install postgresql-15") == true)
    }

    @Test func `finds the server that is installed`() throws {
        #expect(try PostgresInstallation.find().programs.isEmpty == false)
    }
}
