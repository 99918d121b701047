/** Of every command, in the order of `fieldbench --help`; apart from what they do, which most starts need not load. */
export const COMMAND_NAMES = [
  'serve',
  'open',
  'status',
  'stop',
  'records export',
  'push',
  'check',
  'clear',
  'lab check',
  'lab rotate-key',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];
