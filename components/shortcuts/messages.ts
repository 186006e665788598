import type { Texts } from '@/components/i18n/texts'

export const shortcutsText = {
  palette: {
    title: 'Go to',
    search: 'Search pages and agents',
    placeholder: 'Page or agent',
    none: 'Nothing has that name.',
    list: 'Pages, agents and actions',
    agent: 'Agent',
  },
  help: {
    title: 'Keyboard shortcuts',
    description: 'No key approves or declines anything.',
    next: 'then',
    palette: 'Go to a page or an agent',
    filter: 'Move to the filter of the page',
    help: 'Show this list',
    goTo: (page: string) => `Go to ${page}`,
    single: {
      label: 'Single keys are shortcuts',
      hint: 'Turn this off if you dictate or press keys by accident. Ctrl+K and ⌘K always work.',
    },
  },
} as const

export const shortcutsTexts: Texts<typeof shortcutsText> = {
  en: shortcutsText,
  de: () => import('./messages.de').then((german) => german.shortcutsTextDe),
}
