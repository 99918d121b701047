import { which } from './run.mjs';

/**
 * A window wants a display even when nobody looks: on Linux, where there is none and Xvfb is, a command gets a virtual one.
 * @param {readonly [string, ...string[]]} words a command and its arguments
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {readonly [string, ...string[]]}
 */
export function onDisplay(words, env = process.env) {
  const hasDisplay = process.platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY;
  return hasDisplay || which('xvfb-run', env) === null ? words : ['xvfb-run', '-a', ...words];
}
