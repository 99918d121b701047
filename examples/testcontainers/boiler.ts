import { setDefaultCACertificates } from 'node:tls';
import { createClient } from 'fieldbench/client';
import { GenericContainer, Wait } from 'testcontainers';

const container = await new GenericContainer('fieldbench:0.1.0')
  .withExposedPorts(7443)
  .withWaitStrategy(Wait.forHealthCheck())
  .start();
const read = async (file: string) => (await container.exec(['cat', file])).output;
const { api_key, ca_file } = JSON.parse(await read('/data/ready.json'));
setDefaultCACertificates([await read(ca_file)]);
const client = createClient({
  url: `https://${container.getHost()}:${container.getMappedPort(7443)}`,
  key: api_key,
});
console.log(await client.projects.list());
await container.stop();
