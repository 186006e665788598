import { rememberChoice } from '@/components/lib/remember'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/**
 * The name of the cookie with the chosen theme; a cookie rather than local storage, so that the server already sends
 * the right colours.
 */
export const THEME_COOKIE = 'theme'

export function readTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  rememberChoice(THEME_COOKIE, theme)
}
