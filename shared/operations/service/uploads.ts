import { z } from 'zod';
import { operation, uploadOperation } from '../../schema/operation.ts';
import { count, id, timestamp, uuid } from '../../schema/schemas.ts';
import { fileSettings } from '../records/record-files.ts';

/* docs/rigs.md, "Simulators": files whose records are to be stored by a replay. */

/** Bytes of all uploads of an account. */
export const MOST_UPLOADED = 64 * 1024 * 1024;

const upload = z
  .object({
    id: uuid,
    bytes: count,
    records: count,
    first: timestamp.nullable(),
    last: timestamp.nullable(),
    /** What was noticed and handled, for people to read. */
    notes: z.array(z.string()),
    created_at: timestamp,
  })
  .meta({ id: 'Upload' });
export type Upload = Readonly<z.output<typeof upload>>;

const path = '/_local/v1/uploads';

export const uploadOperations = {
  'uploads.list': operation({
    method: 'GET',
    path,
    permissions: ['admin'],
    reach: 'account',
    action: 'get uploads',
    message: 'Uploads retrieved successfully.',
    description: 'The uploads of the account of the key that asks, in the order in which they came.',
    input: z.object({}),
    output: z.array(upload),
  }),
  'uploads.create': uploadOperation({
    method: 'POST',
    path,
    permissions: ['admin'],
    reach: 'account',
    action: 'upload',
    message: 'Uploaded.',
    description:
      'Keeps a file of records in memory, for replays of simulators. It is read as an import reads it, and refused where a row cannot be.',
    input: z.object(fileSettings),
    output: upload,
  }),
  'uploads.delete': operation({
    method: 'DELETE',
    path: `${path}/:upload_id`,
    permissions: ['admin'],
    reach: 'account',
    action: 'delete upload',
    message: 'Upload deleted.',
    description: 'Forgets an upload. A replay that has begun goes on.',
    input: z.object({ upload_id: id }),
    output: z.object({ id: uuid }),
  }),
} as const;
