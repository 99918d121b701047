import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BoilerTest {
    private static final String URL = System.getenv("FIELDBENCH_URL");
    private static final String KEY = System.getenv("FIELDBENCH_KEY");
    private final HttpClient http = HttpClient.newHttpClient();

    private String post(String path, String key, String json) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(URL + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertTrue(answer.statusCode() < 300, answer.body());
        return answer.body();
    }

    /** A library for JSON does this better. */
    private static String field(String name, String json) {
        var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        assertTrue(found.find(), name + " in " + json);
        return found.group(1);
    }

    @Test
    void aBoilerReportsItsTemperature() throws Exception {
        var project = field("id", post("/_local/v1/projects", KEY, "{\"name\": \"Boiler room\"}"));
        var device = post("/v2/projects/" + project + "/devices", KEY, "{\"name\": \"Boiler\", \"source\": \"http\"}");

        // In place of the program under test.
        post("/integrations/http", field("device_token", device), "{\"temperature\": 71.5}");

        var seen = post("/_local/v1/requests/verify", KEY, """
            {"match": {"operation": "ingest", "device_id": "%s"},
             "body": {"temperature": {"gt": 70}}, "count": 1, "within_ms": 5000}
            """.formatted(field("device_id", device)));
        assertTrue(seen.contains("\"matched\":true"), seen);
    }
}
