package config

import "github.com/spf13/viper"

// Folder returns the data folder that a file and the environment name, whatever else
// they say or lack: who only asks a running daemon needs none of its secrets. An empty
// name is no file.
func Folder(name string) (string, error) {
	v := viper.New()
	v.SetDefault("data", defaults["data"])
	if err := v.BindEnv("data", "HERMES_DATA"); err != nil {
		return "", err
	}
	if name != "" {
		v.SetConfigFile(name)
		v.SetConfigType("yaml")
		if err := v.ReadInConfig(); err != nil {
			return "", readFault(name, err)
		}
	}
	return v.GetString("data"), nil
}
