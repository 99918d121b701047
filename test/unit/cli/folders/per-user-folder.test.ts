import { describe, expect, test } from 'vitest';
import { perUserFolder } from '#core/cli/folders/per-user-folder.ts';
import { runCli } from '../../../helpers/service/service-process.ts';

const home = (folder: string) => () => folder;

describe('the folder of a user', () => {
  test.each([
    ['linux', {}, '/home/ada', '/home/ada/.local/share/Fieldbench'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/home/ada', '/data/Fieldbench'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/home/ada', '/home/ada/.local/share/Fieldbench'],
    ['darwin', {}, '/Users/ada', '/Users/ada/Library/Application Support/Fieldbench'],
    ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\Users\\ada', 'C:\\L\\Fieldbench\\Data'],
    ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Local\\Fieldbench\\Data'],
  ] as const)('is on %s, with %j and the home %s, %s', (platform, env, folder, expected) => {
    expect(perUserFolder({ platform, env, home: home(folder) })).toBe(expected);
  });

  test('needs no home where it is named', () => {
    const none = () => {
      throw new Error('ENOENT: uv_os_homedir');
    };
    expect(perUserFolder({ platform: 'linux', env: { XDG_DATA_HOME: '/d' }, home: none })).toBe(
      '/d/Fieldbench',
    );
    expect(() => perUserFolder({ platform: 'linux', env: {}, home: none })).toThrow('--data DIR');
    for (const folder of ['', '.', 'home/ada'])
      expect(() => perUserFolder({ platform: 'linux', env: {}, home: home(folder) })).toThrow('--data DIR');
  });

  test('that cannot be made is one sentence with the flag to use', async () => {
    const { code, stderr } = await runCli(['serve', '--vault', 'memory', '--port', '0', '--http-port', '0'], {
      HOME: '/dev/null/home',
      XDG_DATA_HOME: '',
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^fieldbench: [^\n]+--data DIR\.\n$/)]);
  });
});
