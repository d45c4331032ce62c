// Words used all over the product.
export const common = {
  ago: '{{duration}} ago',
  appName: 'Quarry',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  hidePassword: 'Hide password',
  justNow: 'just now',
  loading: 'Loading',
  noData: 'No data now',
  ok: 'OK',
  retry: 'Try again',
  share: 'Share',
  showPassword: 'Show password',
  units: {
    second: '{{value}} s',
    minute: '{{value}} min',
    hour: '{{value}} h',
    day: '{{value}} d',
  },
};
