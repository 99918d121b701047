import { z } from 'zod';
import { storedJsonObject } from '#shared/values/json-object.ts';

const id = z.string().min(1);

/** Widget of a project's dashboard (docs/dashboards.md). */
export const widgetRow = z.object({
  id,
  project_id: id,
  title: z.string(),
  type: z.string(),
  sources: z.array(z.object({ device_id: id, key: z.string() })),
  layout: storedJsonObject,
  range: storedJsonObject,
  created: z.int(),
  sequence: z.int(),
});
