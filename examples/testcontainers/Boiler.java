import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.io.ByteArrayInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

class Boiler {
    static String field(String name, String json) {
        var found = Pattern.compile("\"" + name + "\": \"([^\"]*)\"").matcher(json);
        if (!found.find()) throw new IllegalStateException(name + " is not in " + json);
        return found.group(1);
    }

    static SSLContext trusting(String pem) throws Exception {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        var certificates = CertificateFactory.getInstance("X.509");
        store.setCertificateEntry("fieldbench", certificates.generateCertificate(new ByteArrayInputStream(pem.getBytes())));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    public static void main(String[] args) throws Exception {
        try (var container = new GenericContainer<>("fieldbench:0.1.0").withExposedPorts(7443).waitingFor(Wait.forHealthcheck())) {
            container.start();
            var ready = container.execInContainer("cat", "/data/ready.json").getStdout();
            var ca = container.execInContainer("cat", field("ca_file", ready)).getStdout();
            var url = "https://" + container.getHost() + ":" + container.getMappedPort(7443);
            var request = HttpRequest.newBuilder(URI.create(url + "/v2/projects")).header("Authorization", "Bearer " + field("api_key", ready)).build();
            var http = HttpClient.newBuilder().sslContext(trusting(ca)).build();
            System.out.println(http.send(request, BodyHandlers.ofString()).body());
        }
    }
}
