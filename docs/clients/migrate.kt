import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import org.json.JSONObject  // part of Android

/** Replaces a realm file by what the app's declared migration makes of it; throws, and leaves it as it is, where that fails. Blocks. */
fun migrate(server: String, token: String, app: String, realm: String, file: File, version: Long) {
    fun ask(method: String, path: String, fields: Map<String, String>, body: File? = null, text: String? = null): HttpURLConnection {
        val connection = URL(server + path).openConnection() as HttpURLConnection
        connection.requestMethod = method
        connection.readTimeout = 600_000
        connection.setRequestProperty("Authorization", "Bearer $token")
        for ((name, value) in fields) connection.setRequestProperty(name, value)
        if (body != null || text != null) {
            connection.doOutput = true
            connection.setFixedLengthStreamingMode(body?.length() ?: text!!.toByteArray().size.toLong())
            connection.outputStream.use { out -> if (body != null) body.inputStream().use { it.copyTo(out) } else out.write(text!!.toByteArray()) }
        }
        if (connection.responseCode !in 200..299) {
            throw IOException(connection.errorStream?.reader()?.readText() ?: "The service answered ${connection.responseCode}.")
        }
        return connection
    }
    fun json(connection: HttpURLConnection) = JSONObject(connection.inputStream.reader().readText())

    val path = "/v1/apps/$app/realms/${URLEncoder.encode(realm, "UTF-8").replace("+", "%20")}"
    val own = json(ask("POST", "$path/snapshots", mapOf("Content-Type" to "application/x-realm"), body = file)).getString("id")
    val fields = mapOf("Content-Type" to "application/json", "Prefer" to "wait=60")
    var job = json(ask("POST", "$path/migrations", fields, text = """{"targetVersion": $version}"""))
    while (job.getString("state") in listOf("queued", "running")) {
        job = json(ask("GET", "/v1/jobs/${job.getString("id")}", mapOf("Prefer" to "wait=60")))
    }
    if (job.getString("state") != "succeeded") {
        throw IOException(job.optJSONObject("error")?.getString("detail") ?: "The migration was cancelled.")
    }
    if (job.getString("sourceSnapshot") != own) throw IOException("Another device has uploaded the realm meanwhile.")
    val content = ask("GET", "/v1/snapshots/${job.getString("resultSnapshot")}/content", mapOf("Accept" to "application/x-realm"))
    val migrated = File(file.path + ".new")
    content.inputStream.use { input -> migrated.outputStream().use { input.copyTo(it) } }
    if (!migrated.renameTo(file)) throw IOException("The migrated file is ${migrated.path}.")
}
