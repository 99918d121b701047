import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { networkHosts } from '#core/tls/names.ts';

test('other machines reach a service of the network by its addresses, and one of this machine by none', () => {
  expect(networkHosts('127.0.0.1')).toEqual([]);
  expect(networkHosts('localhost')).toEqual([]);
  expect(networkHosts('192.168.1.5')).toEqual(['192.168.1.5']);
  const ofIpv4 = networkHosts('0.0.0.0');
  expect(ofIpv4.every((host) => isIP(host) === 4 && !host.startsWith('127.'))).toBe(true);
  expect(networkHosts('::').slice(0, ofIpv4.length)).toEqual(ofIpv4);
});
