import { notifications } from '@mantine/notifications';
import { countOf } from '../../format.ts';

/** Says of files that were dropped where nothing takes them that they were not, and where they belong. */
export function sayNotImported(files: readonly File[]): void {
  const [first, ...others] = files;
  const more = others.length > 0 ? ` and ${countOf(others.length, 'more file')}` : '';
  notifications.show({
    title: 'Nothing was imported',
    message: `Open the project that ${first?.name ?? 'the file'}${more} belongs to, and drop it there, or on a project or device beside.`,
    color: 'yellow',
  });
}
