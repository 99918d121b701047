/** Bad days that a spec may ask for, in FIELDBENCH_STAND_IN, with spaces between. */
export type Switch =
  /** The app was installed: no script among its arguments. */
  | 'packaged'
  /** The profile's disk takes no symbolic links, so that Chromium's lock cannot be made. */
  | 'no-symlinks'
  /** Of the two buttons of a question, the person does not press the way out. */
  | 'other-button'
  /** The person saves a file under a name of their own, in a folder of their own. */
  | 'other-name'
  /** What the person saves finds no room on its disk. */
  | 'full-disk';

export const isOn = (name: Switch, env: NodeJS.ProcessEnv = process.env): boolean =>
  (env['FIELDBENCH_STAND_IN'] ?? '').split(' ').includes(name);
