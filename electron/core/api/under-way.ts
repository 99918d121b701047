import type { PendingDeletion } from '../store/metadata/metadata-schema.ts';

/* By what names it is said that something is under way (core/work/shared-work.ts). */

/** Returns the work of a permanent delete, or of the move of a token. */
export const workOf = ({ kind, project_id, device_ids: [first = ''] }: PendingDeletion) =>
  `delete ${kind} ${kind === 'project' ? project_id : `${project_id} ${first}`}`;

/** Records of a device are being kept, restored or given up. */
export const keepingOf = (device_id: string) => `keep ${device_id}`;
