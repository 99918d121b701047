import { z } from 'zod';
import { downloadOperation, postedDownloadOperation, uploadOperation } from '../../schema/operation.ts';
import { count, id, oneOf, text } from '../../schema/schemas.ts';

/** Media type of a backup. */
export const BACKUP_TYPE = 'application/x-tar';

/** Header of a restore with the passphrase of the backup's secrets, percent-encoded (RFC 3986, 2.1) UTF-8. */
const PASSPHRASE_HEADER = 'Fieldbench-Passphrase';

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

const restored = z
  .object({
    projects: split,
    devices: split,
    records: split,
    /**
     * Only of a backup with secrets; null without their passphrase. `new`: the vault lacks it; `differ`: what it was of has another
     * secret here, or is not here.
     */
    secrets: split.nullable().optional(),
    /**
     * Audit trails: `new` ones are kept beside the trail here as former ones; `same`: it is here already. Null where only a part is
     * restored, which brings none; absent where the backup has none.
     */
    trails: split.omit({ differ: true }).nullable().optional(),
  })
  .meta({ id: 'Restored' });
export type Restored = Readonly<z.output<typeof restored>>;

const backup = z.object({ projects: count, devices: count });

const flag = oneOf(['true', 'false']).optional();
const scope = { project_id: id.optional(), device_id: id.optional() };
const passphrase = text(1, 512);
const secrets = ['passphrase'] as const;

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
  'backup.with-secrets': postedDownloadOperation({
    method: 'POST',
    path: '/_local/v1/backup',
    media: BACKUP_TYPE,
    permissions: ['admin'],
    reach: 'installation',
    action: 'back up',
    message: 'Backed up.',
    description:
      'The same, and the device tokens and API keys of what is in it, encrypted with a passphrase, which is kept nowhere.',
    input: z.object({ passphrase, ...scope }),
    output: backup,
    secrets,
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
      'Brings back what a backup holds and is not there: all of it, or nothing. With dry_run it says what that would be; what is there is replaced with replace alone, and can be undone then. The secrets of a backup come back with their passphrase.',
    input: z.object({ ...scope, dry_run: flag, replace: flag, passphrase: passphrase.optional() }),
    output: restored,
    secrets,
    headers: { passphrase: PASSPHRASE_HEADER },
  }),
} as const;
