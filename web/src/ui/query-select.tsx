// Choosing one of one's own queries by its name, among however many there are.
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { call } from '@/api/call';
import { useTitles } from '@/i18n/titles';
import { useRested } from './search-text';

const SIZE = 50;

interface QuerySelectProps {
  id: string;
  label: string;
  value: string | null;
  size?: 'small';
  className?: string | undefined;
  onChange: (id: string | null) => void;
}

export function QuerySelect({ id, label, value, size, className, onChange }: QuerySelectProps) {
  const titleOf = useTitles();
  const [search, setSearch] = useState('');
  const words = useRested(search);
  const list = useQuery({
    queryKey: ['creations', 'query', 'choose', words],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { kind: 'query', search: words, page: 1, size: SIZE }, signal, quiet: true }),
    placeholderData: (before) => before,
  });
  const options = (list.data?.items ?? []).map((item) => ({ value: item.id, label: titleOf(item) }));
  const known = value === null || options.some((option) => option.value === value);
  // One that the search does not show, or somebody else's.
  const chosen = useQuery({
    queryKey: ['title of query', value],
    queryFn: ({ signal }) => call('get', '/api/query/detail', { query: { id: value ?? '' }, signal, quiet: true }),
    enabled: !known && list.data !== undefined,
    staleTime: 60_000,
    retry: false,
  }).data;
  const shown = known || search !== '' ? options : [...options, { value, label: chosen ? titleOf(chosen) : value }];
  return (
    <Select<string | null>
      id={id}
      {...(size ? { size } : {})}
      {...(className ? { className } : {})}
      aria-label={label}
      placeholder={label}
      allowClear
      showSearch={{ filterOption: false, onSearch: setSearch }}
      loading={list.isFetching}
      value={value}
      options={shown}
      onChange={(next) => {
        setSearch('');
        onChange(next ?? null);
      }}
    />
  );
}
