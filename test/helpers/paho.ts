import { spawnSync } from 'node:child_process';

/** Those that `python3` may be: the one of a version manager has not what the system's packages bring. */
export const pythonWithPaho =
  ['python3', '/usr/bin/python3'].find(
    (name) => spawnSync(name, ['-c', 'import paho.mqtt.client'], { stdio: 'ignore' }).status === 0,
  ) ?? null;
