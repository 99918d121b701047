import type { Topic } from '#shared/domain/events.ts';

/** By these rules, or what they watch, may be others. */
export const OF_RULES = [
  'functions.changed',
  'projects.changed',
  'undo.changed',
  'alarms.changed',
] as const satisfies readonly Topic[];
/** By these a rule may have another judgement. */
export const OF_DEVICES = [
  'records.stored',
  'records.removed',
  'corrections.changed',
  'devices.changed',
  'clock.changed',
] as const satisfies readonly Topic[];
