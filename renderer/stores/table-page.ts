import { create } from 'zustand';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { ask, messageOf } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { onConnectionMade } from '../bridge/connection.ts';
import { oneInFlight } from '../bridge/one-in-flight.ts';

export const RECORDS_A_PAGE = 100;
const REST_MS = 100;

interface TableQuery {
  readonly project_id: string;
  readonly device_id: string;
  /** From 1, newest records first. */
  readonly page: number;
}

interface TablePage {
  readonly records: readonly DataRecord[] | null;
  readonly error: string | null;
}

/** The page of records in view. */
export const useTablePage = create<TablePage>(() => ({ records: null, error: null }));

let query: TableQuery | null = null;

/** Shows a page. Turning pages quickly reads the last one asked for. */
export function showTablePage(next: TableQuery): void {
  query = next;
  readTable();
}

/** Reads the page in view anew whenever records of the device come or go, or the connection does; returns what stops that. */
export function watchTable(device_id: string): () => void {
  const stops = [
    bridge.subscribe('records.stored', readTable, { device_id }),
    bridge.subscribe('records.removed', readTable, { device_id }),
    onConnectionMade(readTable),
  ];
  return () => {
    stops.forEach((stop) => stop());
    query = null;
    useTablePage.setState({ records: null, error: null });
  };
}

/** Reads the page in view anew. */
export const readTable = oneInFlight(async () => {
  const wanted = query;
  if (!wanted) return;
  try {
    const records = await ask('data.list', { ...wanted, limit: RECORDS_A_PAGE, range: 'all' });
    if (wanted === query) useTablePage.setState({ records, error: null });
  } catch (error) {
    if (wanted === query) useTablePage.setState({ error: messageOf(error) });
  }
}, REST_MS);
