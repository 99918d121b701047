import { useState } from 'react';
import { ask, messageOf } from '../../bridge/ask.ts';
import { sayFailed } from '../../components/work/notices.ts';
import { useItemsOf, type FileItem } from '../../import/files/file-items.ts';
import { nameAfterAll } from '../../import/files/file-names.ts';
import { moveFiles, removeItem } from '../../import/files/look-at-files.ts';
import { runImports } from '../../import/files/run-imports.ts';
import { goTo } from '../../router.ts';
import { LOOK } from '../../stores/picked-files.ts';
import { projects } from '../../stores/projects.ts';
import { FilesScreen } from './files-screen.tsx';
import { NEW, Place } from './place.tsx';

const NONE: readonly never[] = [];
const nameOf = ({ target }: FileItem) => (target.kind === 'new' ? target.name : 'device');

/** Files that are looked at before it is known where they belong. */
export function LookScreen() {
  const known = projects.useValue('all').value;
  const items = useItemsOf(LOOK);
  /** Undefined while nobody has chosen; null for the name that the files have. */
  const [named, setNamed] = useState<string | null | undefined>(undefined);
  const [isMaking, setMaking] = useState(false);
  const isNew = named !== undefined || known?.length === 0;
  const name = isNew ? (named ?? nameAfterAll(items.map(({ file }) => file))) : null;

  const choose = (project_id: string) => {
    if (project_id === NEW) return setNamed(null);
    moveFiles(project_id);
    goTo({ screen: 'import', project_id });
  };
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
      place={
        <Place
          of="project"
          there={known ?? NONE}
          chosen={name === null ? null : NEW}
          onChoose={choose}
          name={name ?? ''}
          onName={setNamed}
        />
      }
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
