import { describe, expect, test } from 'vitest';
import { leftOut, modulesProblem } from '../../../scripts/lib/modules.mjs';

const linux = { platform: 'linux', arch: 'x64', libc: () => 'glibc' };

describe('whether node_modules is what the lock file asks for', () => {
  const wanted = {
    '': {},
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/fsevents': { version: '2.3.3', optional: true, os: ['darwin'] },
  };

  test('is content without the optional packages of other systems, the project itself and what was added by hand', () => {
    const installed = { 'node_modules/zod': { version: '4.6.7' }, 'node_modules/mine': { version: '1.0.0' } };
    expect(modulesProblem(wanted, installed, linux)).toBeNull();
  });

  test('names a package that is missing', () => {
    expect(modulesProblem(wanted, {}, linux)).toBe('node_modules/zod is missing');
  });

  test('names a package of another version, as after a git pull', () => {
    const installed = { 'node_modules/zod': { version: '4.6.6' } };
    expect(modulesProblem(wanted, installed, linux)).toBe(
      'node_modules/zod is 4.6.6, package-lock.json asks for 4.6.7',
    );
  });

  test('sees a folder that was installed on another system', () => {
    const installed = {
      'node_modules/zod': { version: '4.6.7' },
      'node_modules/fsevents': { version: '2.3.3', optional: true, os: ['darwin'] },
    };
    expect(modulesProblem(wanted, installed, linux)).toBe(
      'node_modules/fsevents is for another system than linux x64',
    );
    expect(modulesProblem(wanted, installed, { ...linux, platform: 'darwin', arch: 'arm64' })).toBeNull();
  });

  test('understands packages that exclude a system', () => {
    const installed = { 'node_modules/zod': { version: '4.6.7', os: ['!win32'], cpu: ['x64', 'arm64'] } };
    expect(modulesProblem(wanted, installed, linux)).toBeNull();
    expect(modulesProblem(wanted, installed, { ...linux, platform: 'win32' })).toContain('win32 x64');
    expect(modulesProblem(wanted, installed, { ...linux, arch: 'ia32' })).toContain('linux ia32');
  });
});

describe('a program of this system that npm left out', () => {
  const binding = (os: string, cpu: string, libc?: string) => ({
    version: '1.2.19',
    optional: true,
    os: [os],
    cpu: [cpu],
    ...(libc !== undefined && { libc: [libc] }),
  });
  const wanted = {
    'node_modules/@rolldown/binding-linux-x64-musl': binding('linux', 'x64', 'musl'),
    'node_modules/@rolldown/binding-linux-x64-gnu': binding('linux', 'x64', 'glibc'),
    'node_modules/@rolldown/binding-darwin-arm64': binding('darwin', 'arm64'),
    'node_modules/@rolldown/binding-wasm32-wasi': { version: '1.2.19', optional: true, cpu: ['wasm32'] },
    'node_modules/keytar': { version: '7.9.0', optional: true },
  };

  test('is found on each system, and asked for again at the next start', () => {
    expect(leftOut(wanted, {}, linux)).toBe('node_modules/@rolldown/binding-linux-x64-gnu');
    expect(leftOut(wanted, {}, { ...linux, libc: () => 'musl' })).toBe(
      'node_modules/@rolldown/binding-linux-x64-musl',
    );
    expect(leftOut(wanted, {}, { ...linux, platform: 'darwin', arch: 'arm64' })).toBe(
      'node_modules/@rolldown/binding-darwin-arm64',
    );
    expect(modulesProblem(wanted, {}, linux)).toBe('node_modules/@rolldown/binding-linux-x64-gnu is missing');
  });

  test('is none where it is there; what is for other systems, or for all, is none either', () => {
    const installed = {
      'node_modules/@rolldown/binding-linux-x64-gnu': binding('linux', 'x64', 'glibc'),
    };
    expect(leftOut(wanted, installed, linux)).toBeNull();
    expect(leftOut(wanted, {}, { ...linux, arch: 'ia32' })).toBeNull();
  });
});
