'use client'

export { LatePageError as default } from '@/components/layout/late-page-error'
