/** Zones with every kind of change: by an hour, by half an hour, by two, at midnight, before it, and in the other half of the year. */
export const TIME_ZONES = [
  "Europe/Berlin",
  "Europe/Dublin",
  "Atlantic/Azores",
  "America/New_York",
  "America/St_Johns",
  "America/Havana",
  "America/Santiago",
  "America/Nuuk",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Antarctica/Troll",
];
