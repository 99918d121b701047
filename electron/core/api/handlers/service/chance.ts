import type { HandlersOf } from '../../context.ts';

export const chanceHandlers: HandlersOf<'chance'> = {
  'chance.get': (_, { chance: { isSeeded, warning } }) => ({ data: { seeded: isSeeded, warning } }),
};
