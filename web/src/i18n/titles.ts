// Names of what ships with the product have a Chinese form; what people made has one name.
import { useCallback } from 'react';
import { useLanguage } from '.';

interface Named {
  title?: string | null;
  titleZh?: string | null;
}

/** Gives the title in the language on show. */
export function useTitles(): (named: Named) => string {
  const chinese = useLanguage() === 'zh';
  return useCallback(({ title, titleZh }: Named) => (chinese ? titleZh : null) ?? title ?? '', [chinese]);
}
