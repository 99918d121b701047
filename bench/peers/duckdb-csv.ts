import { DuckDBInstance } from '@duckdb/node-api';

/** A file as DuckDB's sniffer reads it, with nothing said of it. */
export interface SniffedTable {
  readonly kinds: readonly ('time' | 'number' | 'other')[];
  /** Times as µs since 1970, or since midnight; null where there is no value. */
  readonly rows: readonly (readonly (number | string | null)[])[];
}

export interface CsvSniffer {
  /** Null where DuckDB refuses the file. */
  read(path: string): Promise<SniffedTable | null>;
  close(): void;
}

const REFUSED = /^(?:Invalid Input|Conversion) Error/;
const TIME = /^(?:TIMESTAMP.*|DATE|TIME)$/;
const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/;

export async function openCsvSniffer(): Promise<CsvSniffer> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rowsOf = async (sql: string) =>
    (await connection.runAndReadAll(sql)).getRows() as readonly (readonly unknown[])[];
  return {
    async read(path) {
      const file = `read_csv('${path.replaceAll("'", "''")}')`;
      try {
        const kinds = (await rowsOf(`DESCRIBE SELECT * FROM ${file}`)).map(([, type]) =>
          kindOf(String(type)),
        );
        // Names of files in UTF-16 hold what no name in SQL may.
        const names = kinds.map((_, index) => `c${index}`);
        const cells = names.map((name, index) => cellOf(name, kinds[index] ?? 'other'));
        const rows = await rowsOf(`SELECT ${cells.join(', ')} FROM ${file} AS sniffed(${names.join(', ')})`);
        return { kinds, rows: rows as SniffedTable['rows'] };
      } catch (error) {
        if (error instanceof Error && REFUSED.test(error.message)) return null;
        throw error;
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function kindOf(type: string): SniffedTable['kinds'][number] {
  return TIME.test(type) ? 'time' : NUMBER.test(type) ? 'number' : 'other';
}

function cellOf(name: string, kind: SniffedTable['kinds'][number]): string {
  if (kind === 'other') return `${name}::VARCHAR`;
  return kind === 'time' ? `epoch_us(${name})::DOUBLE` : `${name}::DOUBLE`;
}
