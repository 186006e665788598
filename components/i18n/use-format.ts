'use client'

import { useTimeZone } from './clock'
import { type Format, formatIn } from './format'
import { useLocale } from './locale-provider'

export function useFormat(): Format {
  return formatIn(useLocale(), useTimeZone())
}
