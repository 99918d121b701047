import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { id, text, timestamp, uuid } from '../../schema/schemas.ts';

/* docs/local-api.md, "Saved views": names for addresses of the app. */

/** Characters of an address: what a browser takes, with room. */
const LONGEST_ADDRESS = 4_096;
const addressRule = `must be an address of the app: text of at most ${LONGEST_ADDRESS} characters that begins with "#/"`;

const viewFields = {
  name: text(1, 100),
  address: z.string(addressRule).startsWith('#/', addressRule).max(LONGEST_ADDRESS, addressRule),
};

const view = z
  .object({ id: uuid, name: z.string(), address: z.string(), created_at: timestamp })
  .meta({ id: 'View' });
export type View = Readonly<z.output<typeof view>>;

const viewsPath = '/_local/v1/views';

export const viewOperations = {
  'views.list': operation({
    method: 'GET',
    path: viewsPath,
    permissions: ['admin'],
    reach: 'account',
    action: 'get views',
    message: 'Views retrieved successfully.',
    description: 'The saved views of an account, oldest first.',
    input: z.object({}),
    output: z.array(view),
  }),
  'views.create': operation({
    method: 'POST',
    path: viewsPath,
    permissions: ['admin'],
    reach: 'account',
    action: 'create view',
    message: 'View created successfully.',
    description: 'Saves an address of the app under a name.',
    input: z.object(viewFields),
    output: view,
  }),
  'views.update': operation({
    method: 'PATCH',
    path: `${viewsPath}/:view_id`,
    permissions: ['admin'],
    reach: 'account',
    action: 'update view',
    message: 'View updated successfully.',
    description: 'Gives a saved view another name or address.',
    input: z.object({
      view_id: id,
      name: viewFields.name.optional(),
      address: viewFields.address.optional(),
    }),
    output: view,
  }),
  'views.delete': operation({
    method: 'DELETE',
    path: `${viewsPath}/:view_id`,
    permissions: ['admin'],
    reach: 'account',
    action: 'delete view',
    message: 'View deleted successfully.',
    description: 'Deletes a saved view.',
    input: z.object({ view_id: id }),
    output: z.object({ id: uuid }),
  }),
} as const;
