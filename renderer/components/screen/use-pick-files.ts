import { useFileDialog } from '@mantine/hooks';

/**
 * Returns a function that opens the system's file picker: an input's own, since pickers of the file system API hang in some
 * folders of Electron.
 */
export function usePickFiles(onFiles: (files: readonly File[]) => void): () => void {
  const { open } = useFileDialog({
    accept: '',
    onChange(files) {
      if (files !== null && files.length > 0) onFiles([...files]);
    },
  });
  return open;
}
