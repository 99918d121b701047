import json
import pathlib
import tempfile

import requests
from testcontainers.core.container import DockerContainer
from testcontainers.core.waiting_utils import wait_for_logs

with DockerContainer("fieldbench:0.1.0").with_exposed_ports(7443) as container:
    wait_for_logs(container, "Fieldbench is ready", timeout=30)
    read = lambda file: container.exec(["cat", file]).output.decode()
    ready = json.loads(read("/data/ready.json"))
    ca = pathlib.Path(tempfile.mkdtemp(), "ca.pem")
    ca.write_text(read(ready["ca_file"]))
    url = f"https://{container.get_container_host_ip()}:{container.get_exposed_port(7443)}"
    headers = {"Authorization": f"Bearer {ready['api_key']}"}
    print(requests.get(f"{url}/v2/projects", headers=headers, verify=str(ca), timeout=10).json())
