import { describe, expect, test } from 'vitest';
import { curlSnippet } from '../../../../../renderer/components/facts/snippets/curl-snippet.ts';

describe('the curl command', () => {
  const doors = {
    base_url: 'https://127.0.0.1:7443',
    http_url: 'http://127.0.0.1:7480',
    ca_file: "/home/o'hara/ca.pem",
  };
  test('uses the plain door where there is one', () => {
    const command = curlSnippet(doors, 'secret');
    expect(command).toContain("curl 'http://127.0.0.1:7480/integrations/http'");
    expect(command).toContain("'Authorization: Bearer secret'");
    expect(command).not.toContain('--cacert');
  });
  test('names the certificate authority over HTTPS, quoted for the shell', () => {
    const command = curlSnippet({ ...doors, http_url: null }, 'secret');
    expect(command).toContain("curl 'https://127.0.0.1:7443/integrations/http'");
    expect(command).toContain(`--cacert '/home/o'\\''hara/ca.pem'`);
  });
});
