@node "%~dp0feed.mjs" %*
