// Before anything is drawn: the theme and the language that were chosen here, so that what stands there while the code is on
// its way looks like what follows. A file of its own, because the page allows no script in its text.
(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = stored('quarry.theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  if (stored('quarry.language') === 'zh') document.documentElement.lang = 'zh';
})();
