import { useState } from 'react';
import { ask, messageOf } from '../../bridge/ask.ts';
import { sayFailed } from '../../components/work/notices.ts';
import { moveFiles, nameAfter, removeItem, useItemsOf, type FileItem } from '../../import/file-items.ts';
import { runImports } from '../../import/run-imports.ts';
import { goTo } from '../../router.ts';
import { LOOK } from '../../stores/picked-files.ts';
import { projects } from '../../stores/projects.ts';
import { FilesScreen } from './files-screen.tsx';
import { LookPlace } from './look-place.tsx';

const NONE: readonly never[] = [];
const nameOf = ({ target }: FileItem) => (target.kind === 'new' ? target.name : 'device');

/** Files that are looked at before it is known where they belong. */
export function LookScreen() {
  const known = projects.useValue('all').value;
  const items = useItemsOf(LOOK);
  /** Undefined while nobody has chosen; null for the name of the first file. */
  const [named, setNamed] = useState<string | null | undefined>(undefined);
  const [isMaking, setMaking] = useState(false);
  const [first] = items;
  const isNew = named !== undefined || known?.length === 0;
  const name = isNew ? (named ?? (first ? nameAfter(first.file) : '')) : null;

  const importAll = async (ready: readonly FileItem[]) => {
    if (name === null) return;
    setMaking(true);
    try {
      const { id } = await ask('projects.create', { name: name.trim(), description: '' });
      moveFiles(id);
      goTo({ screen: 'import', project_id: id });
      runImports(id, ready, nameOf);
    } catch (error) {
      sayFailed('The project was not made', messageOf(error));
      setMaking(false);
    }
  };
  return (
    <FilesScreen
      project_id={LOOK}
      title="Look at files"
      empty="Drop recordings anywhere, or choose them: CSV and NDJSON, any number at once. You see what they hold first, and say then where they belong."
      devices={NONE}
      place={<LookPlace projects={known ?? NONE} name={name} onName={setNamed} />}
      isPlaced={name !== null && name.trim() !== '' && !isMaking}
      nameOf={nameOf}
      onImport={(ready) => void importAll(ready)}
      onLeave={() => {
        for (const { id } of items) removeItem(LOOK, id);
        goTo({ screen: 'projects' });
      }}
    />
  );
}
