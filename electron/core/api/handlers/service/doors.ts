import type { HandlersOf } from '../../context.ts';

export const doorHandlers: HandlersOf<'doors'> = {
  'doors.get': (_call, { doors }) => ({ data: doors().now() }),
  'doors.update': async ({ input }, { doors }) => ({ data: await doors().update(input) }),
};
