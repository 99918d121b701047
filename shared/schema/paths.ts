import { z } from 'zod';
import { id } from './schemas.ts';

/** The parameters in the path of an operation that belongs to a project. */
export const inProject = z.object({ project_id: id });
/** The parameters in the path of an operation on one device. */
export const oneDevice = inProject.extend({ device_id: id });
