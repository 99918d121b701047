import { operationOf, type OperationId } from './index.ts';

/** Operations with a body that store nothing. */
const READ_A_BODY: ReadonlySet<OperationId> = new Set([
  'records.inspect',
  'records.examine',
  'records.compare',
  'corrections.preview',
  'corrections.find',
  'functions.preview',
  'functions.try',
  'rules.try',
  'sync.look',
  'sync.digest',
  'sync.ids',
  'sync.rehearse',
]);

/** Whether an operation changes nothing at the service. */
export function reads(id: OperationId): boolean {
  return operationOf(id).method === 'GET' || READ_A_BODY.has(id);
}
