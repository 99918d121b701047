import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddress } from '#core/remote/address.ts';

describe('an address', () => {
  test.each([
    ['lab.example', { url: 'https://lab.example', host: 'lab.example', port: 443, isPlain: false }],
    [' https://lab.example:7443/v2/ ', { url: 'https://lab.example:7443', port: 7443 }],
    ['https://lab.example/fieldbench/', { url: 'https://lab.example/fieldbench', port: 443 }],
    ['https://[2001:db8::1]:7443', { url: 'https://[2001:db8::1]:7443', host: '2001:db8::1' }],
    ['192.168.7.20:7443', { url: 'https://192.168.7.20:7443', host: '192.168.7.20', isPlain: false }],
    ['http://127.0.0.1:7480', { url: 'http://127.0.0.1:7480', port: 7480, isPlain: true }],
    ['http://localhost', { url: 'http://localhost', port: 80, isPlain: true }],
    ['http://[::1]:1', { host: '::1', isPlain: true }],
  ])('%s is read', (text, expected) => {
    expect(readAddress(text)).toMatchObject(expected);
  });

  test.each([
    ['', 'address must be the address of a service'],
    ['https://', 'address must be the address of a service'],
    ['ftp://lab.example', 'got the scheme "ftp"'],
    ['https://me:secret@lab.example', 'must hold no name or password'],
    ['https://lab.example/?key=1', 'must end before "?" and "#"'],
    ['http://lab.example', 'must begin with https:// for another machine than this one'],
    ['http://192.168.7.20', 'must begin with https://'],
    ['http://127.0.0.1.lab.example', 'must begin with https://'],
    ['http://localhost.lab.example', 'must begin with https://'],
  ])('%j is refused in words', (text, words) => {
    expect(() => readAddress(text)).toThrow(words);
  });

  test('whatever is typed, it is plain on this machine alone, and reads the same again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.domain(), fc.ipV4()), (text) => {
        let read;
        try {
          read = readAddress(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Refusal', status: 400 });
          return;
        }
        expect(readAddress(read.url)).toEqual(read);
        if (read.isPlain) expect(read.host).toMatch(/^(127\..*|::1|(.*\.)?localhost)$/);
      }),
    );
  });
});
