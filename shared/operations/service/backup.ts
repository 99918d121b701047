import { z } from 'zod';
import { downloadOperation, uploadOperation } from '../../schema/operation.ts';
import { count, id, oneOf } from '../../schema/schemas.ts';

/** Media type of a backup. */
export const BACKUP_TYPE = 'application/x-tar';

/* docs/backup.md: all of a service, a project or a device as one file, and back. */

/** How what a backup holds stands to what is there. */
const split = z.object({
  /** In the backup alone. */
  new: count,
  same: count,
  /** Of projects and devices: other fields than in the backup. Of records: here alone. */
  differ: count,
});
export type Split = z.output<typeof split>;

const restored = z.object({ projects: split, devices: split, records: split }).meta({ id: 'Restored' });
export type Restored = Readonly<z.output<typeof restored>>;

const backup = z.object({ projects: count, devices: count });

const flag = oneOf(['true', 'false']).optional();
const scope = { project_id: id.optional(), device_id: id.optional() };

export const backupOperations = {
  'backup.get': downloadOperation({
    method: 'GET',
    path: '/_local/v1/backup',
    media: BACKUP_TYPE,
    permissions: ['admin'],
    reach: 'installation',
    action: 'back up',
    message: 'Backed up.',
    description:
      'Everything, or a project, or one device of it, as a tar file of plain members; each device as it is at one moment. Secrets are left out.',
    input: z.object(scope),
    output: backup,
  }),
  'backup.restore': uploadOperation({
    method: 'POST',
    path: '/_local/v1/restore',
    media: BACKUP_TYPE,
    permissions: ['admin'],
    reach: 'installation',
    action: 'restore',
    message: 'Restored.',
    description:
      'Brings back what a backup holds and is not there: all of it, or nothing. With dry_run it says what that would be; what is there is replaced with replace alone, and can be undone then.',
    input: z.object({ ...scope, dry_run: flag, replace: flag }),
    output: restored,
  }),
} as const;
