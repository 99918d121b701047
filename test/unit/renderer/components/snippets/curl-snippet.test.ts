import { describe, expect, test } from 'vitest';
import {
  httpForDevices,
  httpForPrograms,
} from '../../../../../renderer/components/facts/snippets/http-door.ts';
import { curlSnippet } from '../../../../../renderer/components/facts/snippets/curl-snippet.ts';

describe('the curl command', () => {
  const doors = {
    base_url: 'https://127.0.0.1:7443',
    http_url: 'http://127.0.0.1:7480',
    ca_file: "/home/o'hara/ca.pem" as string | null,
    ca_certificate: 'PEM',
    network_hosts: [] as string[],
  };
  const login = { device_id: 'boiler', device_token: 'secret' };
  const curl = (of: typeof doors | (Omit<typeof doors, 'http_url'> & { http_url: null })) => {
    const door = httpForPrograms(of);
    return door && curlSnippet(door, login);
  };
  test('uses the plain door where there is one', () => {
    const command = curl(doors);
    expect(command).toContain("curl 'http://127.0.0.1:7480/integrations/http'");
    expect(command).toContain("'Authorization: Bearer secret'");
    expect(command).not.toContain('--cacert');
  });
  test('names the certificate authority over HTTPS, quoted for the shell', () => {
    const command = curl({ ...doors, http_url: null });
    expect(command).toContain("curl 'https://127.0.0.1:7443/integrations/http'");
    expect(command).toContain(`--cacert '/home/o'\\''hara/ca.pem'`);
  });

  test('is none where the authority to trust is not told', () => {
    expect(curl({ ...doors, http_url: null, ca_file: null })).toBeNull();
  });
  test('devices take HTTPS where the network reaches it, by the address that it knows', () => {
    expect(httpForDevices(doors)).toEqual({
      url: 'http://127.0.0.1:7480/integrations/http',
      authority: null,
      isOnNetwork: false,
    });
    expect(httpForDevices({ ...doors, network_hosts: ['fd00::5'] })).toEqual({
      url: 'https://[fd00::5]:7443/integrations/http',
      authority: 'PEM',
      isOnNetwork: true,
    });
  });
});
