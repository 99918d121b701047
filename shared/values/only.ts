import { z } from 'zod';

/** Object of these fields and no others: a wrong name of one would be left out without a word otherwise. */
export function only<Shape extends z.ZodRawShape>(shape: Shape) {
  const rule = `must be an object of ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `takes no "${issue.keys.join('", "')}": it ${rule}` : rule,
  });
}
