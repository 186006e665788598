import { useSyncExternalStore } from 'react'
import { applyTheme, readTheme, type Theme } from './theme'

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

const read = (): Theme => readTheme(document.documentElement.dataset['theme'])

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore<Theme>(subscribe, read, () => 'system')
  return [theme, applyTheme]
}
