import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import { describe, expect, test } from 'vitest';
import { faultOfHost, Reach, UnreachedAddress } from '#core/acts/reach.ts';
import { isSpecial } from '#core/acts/special-addresses.ts';

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '64:ff9b::808:808',
];
const SET_APART = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'no address',
];

test.each(PUBLIC)('%s is for everybody', (address) => expect(isSpecial(address)).toBe(false));
test.each(SET_APART)('%s is set apart', (address) => expect(isSpecial(address)).toBe(true));

/** Looks a name up as `net.connect` does. */
function lookUp(reach: Reach, host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    reach.lookup(host, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found as LookupAddress[]);
    });
  });
}

const at =
  (...addresses: readonly string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })));
const own = () => ['9.9.9.0/24', '2620:fe::/48'];

describe('where a webhook may go', () => {
  test.each([
    'http://127.1/',
    'http://0/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest',
    'http://9.9.9.9/',
  ])('%s is refused by what it means', (url) =>
    expect(() => new Reach([], { own }).check(new URL(url).hostname)).toThrow(UnreachedAddress),
  );

  test('a zone is no host of an address', () => expect(URL.canParse('http://[fe80::1%25eth0]/')).toBe(false));

  test('a name is judged by all that it is at', async () => {
    const find = at('8.8.8.8');
    expect(await lookUp(new Reach([], { find, own }), 'hooks.example')).toHaveLength(1);
    for (const bad of ['127.0.0.1', '::1', '10.0.0.1', '9.9.9.9', '2620:fe::9'])
      await expect(lookUp(new Reach([], { find: at('8.8.8.8', bad), own }), 'hooks.example')).rejects.toThrow(
        `"hooks.example" is at ${bad}`,
      );
    await expect(lookUp(new Reach([], { find: at(), own }), 'hooks.example')).rejects.toThrow('no address');
  });

  test('each connection is judged anew', async () => {
    const answers = [at('8.8.8.8'), at('127.0.0.1')];
    const reach = new Reach([], {
      find: () => answers.shift()!(),
      own,
    });
    await lookUp(reach, 'rebinding.example');
    await expect(lookUp(reach, 'rebinding.example')).rejects.toThrow(UnreachedAddress);
  });

  test('an administrator allows names, names below one, addresses and networks', async () => {
    const local = { find: at('127.0.0.1'), own };
    const allowed = ['Hooks.Lab.example', '*.plant.example', '10.0.0.0/8', 'fd00::/8', '192.168.7.9'];
    const reach = new Reach(allowed, local);
    for (const host of ['hooks.lab.example', 'hooks.lab.example.', 'a.b.plant.example'])
      await lookUp(reach, host);
    for (const host of [
      'lab.example',
      'plant.example',
      'badplant.example',
      'localhost.',
      'hooks.lab.example.org',
    ])
      await expect(lookUp(reach, host)).rejects.toThrow(UnreachedAddress);
    for (const host of ['10.9.8.7', '[fd00::1]', '192.168.7.9', '[::ffff:10.1.1.1]']) reach.check(host);
    for (const host of ['127.0.0.1', '192.168.7.8', '[fe80::1]'])
      expect(() => reach.check(host)).toThrow(UnreachedAddress);
  });

  test('what is neither a name nor a network is none that can be allowed', () => {
    for (const host of ['a.example', '*.a.example', 'localhost', '10.0.0.0/8', '::1', 'fd00::/8'])
      expect(faultOfHost(host)).toBeNull();
    for (const host of [
      '',
      'a b',
      'http://a',
      'a.example:80',
      '10.0.0.0/33',
      '10.0.0',
      '*',
      'a.*.example',
      '-a.example',
      'fe80::1%lo',
    ])
      expect([host, faultOfHost(host)]).toEqual([host, expect.stringContaining('must be')]);
  });
});
